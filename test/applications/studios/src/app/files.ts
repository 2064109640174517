import { createHmac, timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Services } from 'prismapi/types'

export interface StoredFile {
  readonly storageKey: string
  readonly fileName: string
  readonly mediaType: string
  readonly size: number
}

export const pathOf = ({ files }: Services, storageKey: string): string => path.join(files, path.basename(storageKey))
export const removeFile = (services: Services, storageKey: string): Promise<void> =>
  rm(pathOf(services, storageKey), { force: true })

const bytes = ({ filesSecret }: Services) => new TextEncoder().encode(filesSecret)
const audience = 'upload'

/** Says that the member has uploaded the file; good for an hour. */
export const signUpload = (services: Services, file: StoredFile, memberId: number): Promise<string> =>
  new SignJWT({ ...file })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(memberId))
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(bytes(services))

/** The file that a token is about; null where it is forged, expired or somebody else's. */
export async function readUpload(services: Services, token: string, memberId: number): Promise<StoredFile | null> {
  try {
    const options = { audience, subject: String(memberId) }
    const { storageKey, fileName, mediaType, size } = (await jwtVerify<StoredFile>(token, bytes(services), options))
      .payload
    return { storageKey, fileName, mediaType, size }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

const hour = 3_600_000

/** A link that is good for one to two hours, and the same within an hour, so that entity tags do not change with it. */
export function linkTo(services: Services, storageKey: string): string {
  const until = (Math.floor(Date.now() / hour) + 2) * hour
  return `/files/${storageKey}?until=${until}&signature=${signatureOf(services, storageKey, until)}`
}

export function isLink(services: Services, storageKey: string, until: number, signature: string): boolean {
  const [sent, own] = [Buffer.from(signature), Buffer.from(signatureOf(services, storageKey, until))]
  return until > Date.now() && sent.length === own.length && timingSafeEqual(sent, own)
}

const signatureOf = ({ filesSecret }: Services, storageKey: string, until: number): string =>
  createHmac('sha256', filesSecret).update(`file ${storageKey} ${until}`).digest('base64url')
