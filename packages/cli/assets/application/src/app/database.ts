import { sqliteClients } from 'prismapi/sqlite'
import { PrismaClient } from '../../prisma/generated/client/client.ts'

/** The database of the application. */
export const openDatabase = (url: string) => sqliteClients((adapter) => new PrismaClient({ adapter }), url)

export type Database = Awaited<ReturnType<typeof openDatabase>>
