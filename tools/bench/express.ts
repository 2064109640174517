import express, { type Request, type Response } from 'express'
import { readUrl } from '../../scripts/bench/servers/asked.ts'
import { listen, origin } from '../../scripts/bench/servers/process.ts'
import { hasTokens, userOf } from '../../scripts/bench/servers/tokens.ts'
import { chosenWork, mediaType, toText } from '../../scripts/bench/servers/work/work.ts'

// By hand on Express, with Prisma Client or a driver: no authorization, no negotiation.

const { work, queries } = await chosenWork()
const app = express().disable('x-powered-by')
app.set('etag', false)
if (hasTokens)
  app.use(async (request, response, next) => {
    response.locals.user = await userOf(work, request.headers.authorization)
    next()
  })
app.use(express.json({ type: mediaType }))

const read = async (request: Request, response: Response): Promise<void> => {
  response.type(mediaType).send(toText(await work.read(readUrl(request.url))))
}
app.get('/api/:base/posts', read)
app.get('/api/:base/posts/:id', read)
app.post('/api/:base/posts', async (request, response) => {
  const { id, document } = await work.change(readUrl(request.url), request.body.data)
  response.status(201).location(`${origin}/api/bench/posts/${id}`).type(mediaType).send(toText(document))
})
app.patch('/api/:base/posts/:id', async (request, response) => {
  const { document } = await work.change(readUrl(request.url), request.body.data)
  response.type(mediaType).send(toText(document))
})

listen(app, queries)
