import type { DoctorReport, TypeReport } from './report.ts'

/** What the classes of a server make of the inferred API: one line for each model that is served otherwise. */
export function changesOf(inferred: DoctorReport, served: DoctorReport): readonly string[] {
  const types = new Map(served.types.map((type) => [type.model, type]))
  return inferred.types.flatMap((before) => {
    const after = types.get(before.model)
    const changes = after ? typeChanges(before, after) : ['is not served']
    return changes.length > 0 ? [`${before.model}: ${changes.join('; ')}`] : []
  })
}

function typeChanges(before: TypeReport, after: TypeReport): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const gone = [...old.keys()].filter((name) => !now.has(name))
  const added = [...now.keys()].filter((name) => !old.has(name))
  const other = [...now].filter(([name, field]) => old.has(name) && old.get(name) !== field).map(([name]) => name)
  return [
    ...(before.type === after.type ? [] : [`is served as ${after.type}`]),
    ...(gone.length > 0 ? [`drops ${gone.join(', ')}`] : []),
    ...(added.length > 0 ? [`adds ${added.join(', ')}`] : []),
    ...(other.length > 0 ? [`changes ${other.join(', ')}`] : []),
  ]
}

/** Each field, and the id, as text that can be compared. */
const fieldsOf = ({ id, attributes, relations }: TypeReport): ReadonlyMap<string, string> =>
  new Map([{ name: 'id', ...id }, ...attributes, ...relations].map((field) => [field.name, JSON.stringify(field)]))
