import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Context, Middleware } from 'koa'
import { koaBody } from 'koa-body'
import { badRequest, JsonApiError, notFound, type PrismApi, type User, unauthorized } from 'prismapi'
import type { Services } from 'prismapi/types'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { isLink, pathOf, type StoredFile, signUpload } from './files.ts'

export interface UploadsParts {
  readonly api: PrismApi
  readonly prisma: PrismaClient
  readonly services: Services
  readonly authenticate: (ctx: Context) => Promise<User | null>
}

const mediaTypes = ['audio/flac', 'audio/mpeg', 'audio/wav', 'application/pdf']
const mostBytes = 50 * 1024 * 1024
// A form has boundaries, and the names of its parts.
const mostOfForm = mostBytes + 64 * 1024
const lengthRequired = new JsonApiError(411, { title: 'Length Required' })
const tooLarge = new JsonApiError(413, { title: 'Content Too Large' }, { Connection: 'close' })

/** `POST /uploads`, a form with one file, answers a token; `GET /files/<key>` sends the file to who has a link. */
export function uploads({ api, prisma, services, authenticate }: UploadsParts): Middleware {
  mkdirSync(services.files, { recursive: true })
  return async (ctx, next) => {
    const respond = api.respond(ctx, 'desk')
    if (ctx.method === 'POST' && ctx.path === '/uploads') {
      const user = await authenticate(ctx).catch(refused)
      if (user instanceof JsonApiError) return respond.errors(user)
      if (user === null) return respond.errors(unauthorized('Bearer'))
      if (ctx.request.length === undefined) return respond.errors(lengthRequired)
      if (ctx.request.length > mostOfForm) return respond.errors(tooLarge)
      const stored = await receive(ctx, services)
      if (!stored)
        return respond.errors(badRequest('Send a form with one file: FLAC, MP3, WAV or PDF, 50 MiB at most.'))
      return respond.meta({ upload: await signUpload(services, stored, user.id) }, { status: 201 })
    }
    const [, storageKey] = /^\/files\/([\w-]+)$/.exec(ctx.path) ?? []
    if (ctx.method !== 'GET' || !storageKey) return next()
    const { until, signature } = ctx.query
    const isGood = isLink(services, storageKey, Number(until), String(signature))
    const recording = isGood ? await prisma.recording.findUnique({ where: { storageKey } }) : null
    if (!recording) return respond.errors(notFound())
    ctx.attachment(recording.fileName)
    ctx.type = recording.mediaType
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.body = createReadStream(pathOf(services, storageKey))
  }
}

/** Keeps the one file of a form; null for another form, of which nothing is kept. */
async function receive(ctx: Context, services: Services): Promise<StoredFile | null> {
  const incoming = await mkdtemp(path.join(services.files, 'incoming-'))
  try {
    const isRefused = await parse(ctx, incoming)
    const files = Object.values(ctx.request.files ?? {}).flat()
    const file = ctx.request.files?.file
    if (isRefused || files.length !== 1 || !file || Array.isArray(file)) return null
    const storageKey = randomUUID()
    await rename(file.filepath, pathOf(services, storageKey))
    const { originalFilename, mimetype, size } = file
    return { storageKey, fileName: originalFilename ?? 'file', mediaType: mimetype ?? '', size }
  } finally {
    await rm(incoming, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function parse(ctx: Context, uploadDir: string): Promise<boolean> {
  let isRefused = false
  const filter = ({ mimetype }: { mimetype: string | null }) => {
    const isKnown = mediaTypes.includes(mimetype ?? '')
    if (!isKnown) isRefused = true
    return isKnown
  }
  const onError = () => {
    isRefused = true
  }
  const formidable = { uploadDir, maxFiles: 1, maxFileSize: mostBytes, filter }
  await koaBody({ multipart: true, formidable, onError })(ctx, async () => {})
  return isRefused
}

function refused(error: unknown): JsonApiError {
  if (error instanceof JsonApiError) return error
  throw error
}
