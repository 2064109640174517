/**
 * What of QUERY does not come through what stands between: its body, and the headers by which a client need not read
 * the same twice.
 */
export async function queryThrough(
  origin: string,
  bearer: { readonly Authorization: string },
): Promise<readonly string[]> {
  const url = `${origin}/api/v2/tags`
  const query = 'sort=-name'
  const headers = { Accept: 'application/vnd.api+json', ...bearer }
  const asking = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
  const ask = (more: object = {}) => fetch(url, { method: 'QUERY', body: query, headers: { ...asking, ...more } })
  const [one, other] = [await fetch(`${url}?${query}`, { headers }), await ask()]
  const told = async (response: Response) =>
    JSON.stringify([
      response.status,
      ...['etag', 'cache-control', 'vary', 'accept-query'].map((name) => response.headers.get(name)),
      await response.text(),
    ])
  const again = await ask({ 'If-None-Match': one.headers.get('etag') ?? '' })
  return [
    ...((await told(one)) === (await told(other)) ? [] : ['QUERY has another response than GET.']),
    ...(one.ok && again.status === 304 ? [] : [`The same QUERY once more is ${again.status}.`]),
  ]
}
