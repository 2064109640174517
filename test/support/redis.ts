import { Redis } from 'ioredis'

const url = process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379'

/** A client of the Redis that tests use, or of one that nobody listens at; it says nothing of failures. */
export function redisClient({ port }: { port?: number } = {}): Redis {
  const options = {
    lazyConnect: true,
    retryStrategy: (times: number) => Math.min(times * 50, 500),
  }
  const client = port === undefined ? new Redis(url, options) : new Redis({ host: '127.0.0.1', port, ...options })
  return client.on('error', () => {})
}

export const redisAnswers = await canPing()

async function canPing(): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null }).on('error', () => {})
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}
