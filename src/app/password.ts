import { randomBytes, scrypt } from 'node:crypto'

const cost = { N: 16_384, r: 8, p: 1 }
const keyLength = 64

/** A scrypt hash with what it takes to check it: `scrypt$N$r$p$<salt>$<hash>`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, keyLength, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}
