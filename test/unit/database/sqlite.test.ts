import { expect, test } from 'vitest'
import { sqliteClients } from '../../../src/database/sqlite.ts'

test('a SQLite file that does not exist is named, with the command that makes it', async () => {
  const makeClient = (): never => {
    throw new Error('No client is made before the file is open.')
  }
  await expect(sqliteClients(makeClient, 'file:./nowhere/dev.db')).rejects.toThrow(
    'file:./nowhere/dev.db: this database does not exist. Run "npx prisma migrate deploy".',
  )
})
