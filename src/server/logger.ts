/** Where the framework says what it did: pino, or anything of its shape. */
export interface Logger {
  /** What helps a programmer who looks for a fault. */
  debug(fields: object, message: string): void
  /** What is worth knowing of the usual course: a request, a replica. */
  info(fields: object, message: string): void
  /** What works, and may not be what was meant. */
  warn(fields: object, message: string): void
  /** What failed. `err` of the fields is the error. */
  error(fields: object, message: string): void
  /** Lines of a level are not put together where it says false. */
  isLevelEnabled?(level: string): boolean
}
