import type { RequestListener } from 'node:http'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { readUrl } from '../../scripts/bench/servers/asked.ts'
import { listen, origin } from '../../scripts/bench/servers/process.ts'
import { hasTokens, userOf } from '../../scripts/bench/servers/tokens.ts'
import { chosenWork, mediaType, type Sent, toText } from '../../scripts/bench/servers/work/work.ts'

// By hand on Fastify, with Prisma Client or a driver: no authorization, no negotiation.

const { work, queries } = await chosenWork()
const app = fastify()
if (hasTokens) app.addHook('onRequest', async (request) => void (await userOf(work, request.headers.authorization)))
app.addContentTypeParser(mediaType, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))

const read = async (request: FastifyRequest, reply: FastifyReply) =>
  reply.type(mediaType).send(toText(await work.read(readUrl(request.url))))
const changed = (request: FastifyRequest) =>
  work.change(readUrl(request.url), (request.body as { readonly data: Sent }).data)
app.get('/api/:base/posts', read)
app.get('/api/:base/posts/:id', read)
app.post('/api/:base/posts', async (request, reply) => {
  const { id, document } = await changed(request)
  return reply.code(201).header('Location', `${origin}/api/bench/posts/${id}`).type(mediaType).send(toText(document))
})
app.patch('/api/:base/posts/:id', async (request, reply) =>
  reply.type(mediaType).send(toText((await changed(request)).document)),
)

await app.ready()
listen(app.routing as RequestListener, queries)
