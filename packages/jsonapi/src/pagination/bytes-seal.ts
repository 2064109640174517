import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts and authenticates bytes (AES-256-GCM) as text for a URL. `of` says what they belong to: with another one,
 * they cannot be opened.
 *
 * @internal
 */
export interface BytesSeal {
  seal(of: string, bytes: Buffer): string
  /** Null for what this seal did not make of that. */
  open(of: string, text: string): Buffer | null
}

const nonceBytes = 12
const tagBytes = 16

/**
 * The same bytes have the same text, because the nonce is made from them.
 *
 * @param secret what all processes that serve one API have in common; null: a key that lives as long as this process.
 * @param purpose what tells the keys of one use from those of others.
 */
export function bytesSeal(secret: string | null, purpose: string): BytesSeal {
  const keys = Buffer.from(hkdfSync('sha256', secret ?? randomBytes(32), '', purpose, 64))
  const [forNonce, key] = [keys.subarray(0, 32), keys.subarray(32)]
  return {
    seal(of, bytes) {
      const nonce = createHmac('sha256', forNonce).update(`${of}\0`).update(bytes).digest().subarray(0, nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(of))
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open(of, text) {
      const bytes = Buffer.from(text, 'base64url')
      // One spelling for each text: Buffer skips what is no base64.
      if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== text) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}
