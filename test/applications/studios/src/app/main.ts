import pino from 'pino'
import { serve } from 'prismapi'
import { postgresClients } from 'prismapi/postgres'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { createStudios } from './app.ts'
import { runNight } from './nightly.ts'

// `node src/app/main.ts` serves; `node src/app/main.ts night` is for cron.
const logger = pino(pino.destination(2))
const { DATABASE_URL = '', GUARDED_URL = '', SECRET = '', PAYMENTS_SECRET = '', PORT = '3000' } = process.env
if (SECRET.length < 32) throw new Error('SECRET must be set, to 32 characters or more.')
const open = (adapter: ConstructorParameters<typeof PrismaClient>[0]['adapter'] & object) =>
  new PrismaClient({ adapter })
const trusted = await postgresClients(open, DATABASE_URL)
const clients = await postgresClients(open, GUARDED_URL, { guarded: true })
const close = async () => {
  await clients.close()
  await trusted.close()
}
const services = { files: 'storage', filesSecret: `files ${SECRET}`, paymentsSecret: PAYMENTS_SECRET }
const studiosAt = (baseUrl: string) =>
  createStudios({ clients, prisma: trusted.reader, services, baseUrl, cursorSecret: SECRET, logger, production: true })

if (process.argv[2] === 'night') {
  logger.info(await runNight((await studiosAt('http://127.0.0.1')).api), 'The night')
  await close()
} else {
  const { baseUrl } = await serve(async ({ baseUrl }) => (await studiosAt(baseUrl)).app.callback(), {
    ...{ port: Number(PORT), host: '127.0.0.1', baseUrl: null, logger, close },
  })
  console.log(`The studios listen on ${baseUrl}/api/desk and ${baseUrl}/api/site`)
}
