import { anybody, rehearse } from '@prismapi/core/server/rehearse'

const filling: ReadonlySet<string> = new Set(['preparing', 'creating', 'saving'])

/** The models whose new rows the hooks of a server fill, for a guest or for a user. */
export function filledModels(server: Parameters<typeof rehearse>[0]): ReadonlySet<string> {
  const models = new Set<string>()
  rehearse(
    { serving: server.serving?.bind(server) ?? (() => {}), services: anybody },
    [null, anybody],
    (name, [model]) => {
      if (filling.has(name)) models.add(String(model))
    },
  )
  return models
}
