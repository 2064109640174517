/** What a `///` comment of the Prisma schema may say behind an `@`. */
export const annotationNames = ['hidden', 'readOnly', 'writeOnly', 'version', 'date', 'time'] as const
