// Ids that one control has, with commas between them. An id may have commas: those have a backslash before them, and so has a backslash.

export const idListOf = (ids: readonly string[]): string => ids.map((id) => id.replace(/[\\,]/g, '\\$&')).join(', ')

export const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:\\[\\,]|[^,])+/g)].flatMap(([each]) => {
    const id = each.trim().replace(/\\([\\,])/g, '$1')
    return id === '' ? [] : [id]
  })
