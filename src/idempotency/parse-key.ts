import { badKey } from '../document/errors.ts'

const pattern = /^(?:"([!#-[\]-~]{1,255})"|([!#-~][!-~]{0,254}))$/

/**
 * The key of the header, without the quotes of a structured field.
 * @throws {JsonApiError} 400
 */
export function parseKey(header: string): string {
  const [, quoted, bare] = pattern.exec(header) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw badKey()
  return key
}
