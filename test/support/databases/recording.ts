import { PrismaClient } from '../../../prisma/generated/client/client.ts'

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>

/** A client whose SQL is added to the list. */
export function recordingClient(adapter: Adapter, queries: string[]): PrismaClient {
  const client: PrismaClient<'query'> = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] })
  client.$on('query', ({ query }) => queries.push(query))
  return client as unknown as PrismaClient
}
