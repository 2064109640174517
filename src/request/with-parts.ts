/** The same context with other parts, frozen as the first one was. */
export const withParts = <Context extends object>(ctx: Context, parts: Partial<Context>): Context =>
  Object.freeze({ ...ctx, ...parts })
