// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Document = any

/** An OpenAPI document whose operations have responses, bodies and, if asked for, parameters in the place of references to them. */
export function inPlace(
  document: Document,
  ...families: readonly ('responses' | 'requestBodies' | 'parameters')[]
): Document {
  const { components, paths } = structuredClone(document)
  const whole = (part: Document): Document => {
    const [, , family, name] = part?.$ref?.split('/') ?? []
    return families.includes(family) ? structuredClone(components[family][name]) : part
  }
  const mapped = (parts: Document, change: (part: Document, name: string) => Document): Document =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part, name)]))
  const operation = ({ responses, requestBody, parameters, ...rest }: Document): Document => ({
    ...rest,
    ...(parameters && { parameters: parameters.map(whole) }),
    ...(requestBody && { requestBody: whole(requestBody) }),
    responses: mapped(responses, whole),
  })
  return {
    ...document,
    components,
    paths: mapped(paths, (item) =>
      mapped(item, (part, name) => (name === 'parameters' ? part.map(whole) : operation(part))),
    ),
  }
}
