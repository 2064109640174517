/**
 * A part of a plan, or a stored value, that the SQL reader does not know: the whole plan is Prisma's then, and so is what
 * it says about it. The message names the part.
 */
export class NotInSql extends Error {}
