import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The least that OWASP advises with 16 MiB: a guess takes as long as five of Node's defaults. */
const cost = { N: 16_384, r: 8, p: 5 }
const keyLength = 64
/** More would only cost time. */
const longest = 1024

const derive = (password: string, salt: Buffer, length: number, { N, r, p }: typeof cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, length, { N, r, p }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/**
 * A scrypt hash of a password with what it takes to check it: `scrypt$N$r$p$<salt>$<hash>`, the last two in base64url.
 *
 * @example
 * const passwordHash = await hashPassword('correct horse battery staple')
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, keyLength, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Of a user that does not exist. No password has this hash. */
const nobody = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(86)}`

/** Has the password this hash, of `hashPassword`. Without a hash it takes the same time. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [name, N, r, p, salt = '', hash = ''] = (stored || nobody).split('$')
  const expected = Buffer.from(hash, 'base64url')
  if (name !== 'scrypt' || expected.length === 0 || password.length > longest) return false
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(actual, expected)
}
