import { placeOf, type SchemaNotes } from '../schema/notes.ts'
import type { Logger } from './logger.ts'

/** Says once, at boot, what of the Prisma schema is not served as it is written. */
export function logNotes(logger: Logger, name: string, notes: SchemaNotes): void {
  const fields = { server: name }
  for (const note of notes.skipped) logger.warn(fields, `${placeOf(note)} is not served: ${note.reason}`)
  for (const note of notes.renamed) logger.info(fields, `${placeOf(note)} is served as ${note.name}: ${note.reason}`)
  for (const warning of notes.warnings) logger.warn(fields, warning)
  if (notes.hidden.length > 0)
    logger.info(fields, `Hidden because of their names: ${notes.hidden.map(placeOf).join(', ')}`)
  if (notes.secrets.length > 0)
    logger.info(fields, `Write-only because of their names: ${notes.secrets.map(placeOf).join(', ')}`)
}
