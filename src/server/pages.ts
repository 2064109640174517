/** How the pages of a server look. */
export interface PageOptions {
  /** What they are called, in their header and titles. Left out, the title of the OpenAPI document, or the name of the server. */
  readonly name?: string
  /**
   * The colour of links, buttons and charts, as six hexadecimal digits: `#7b1fa2`. Where it would be hard to read on a light or a
   * dark page, that page gets a darker or a lighter shade of it.
   */
  readonly colour?: string
  /** The path of a picture on the same origin, which the application serves: `/logo.svg`. */
  readonly logo?: string
  /**
   * The groups of the start page, each with its types, in this order. Types of no group come last. Left out, a server with more than thirty
   * types groups them by their first letter.
   */
  readonly groups?: Readonly<Record<string, readonly string[]>>
}

/** @throws {Error} for a colour, a path or a type that is none. */
export function checkPages(pages: PageOptions, name: string, types: ReadonlyMap<string, unknown>): PageOptions {
  const { colour, logo, groups = {} } = pages
  for (const [group, named] of Object.entries(groups))
    for (const type of named)
      if (!types.has(type))
        throw new Error(
          `pages.groups of server ${name}: "${group}" names ${type}, which is no type of the server. Remove it, or write one of ${[...types.keys()].join(', ')}.`,
        )
  if (colour !== undefined && !/^#[\da-f]{6}$/i.test(colour))
    throw new Error(
      `pages.colour of server ${name}: "${colour}" is no colour. Write six hexadecimal digits, such as #7b1fa2.`,
    )
  if (logo !== undefined && !/^\/(?![/\\])[\x21-\x7e]*$/.test(logo))
    throw new Error(`pages.logo of server ${name}: "${logo}" is no path of this origin. Begin it with one slash.`)
  return Object.freeze({ ...pages })
}
