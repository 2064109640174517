/** A class of the application asked for what is not known where it asked. */
export class NotKnown extends Error {
  override readonly name = 'NotKnown'
}
