/** When the JWT of a bearer expires, in milliseconds; null for other credentials. `authenticate` has verified it. */
export function expiryOf(authorization: string | undefined): number | null {
  const [, payload] = /^Bearer +[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization ?? '') ?? []
  if (payload === undefined) return null
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : null
  } catch {
    // A token of the application's own kind may look like a JWT.
    return null
  }
}
