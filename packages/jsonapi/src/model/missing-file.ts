import path from 'node:path'

/**
 * What to say of a file of the application that another one imports and that is not there; null for any other error.
 */
export function missingFile(error: unknown): string | null {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return null
  const [, missing, importer] = /^Cannot find module '(.+?)' imported from '?(.+?)'?$/m.exec(error.message) ?? []
  if (missing === undefined || importer === undefined || !path.isAbsolute(missing)) return null
  const [file, from] = [missing, importer].map((each) => path.relative('', each))
  return `${from} imports ${file}, which is not there. Run "npx prisma generate", or correct the import.`
}
