import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PackedPackage } from './packed.ts'

const root = path.resolve(import.meta.dirname, '../..')
const ask = (key: string): string => execFileSync('npm', ['config', 'get', key], { cwd: root, encoding: 'utf8' }).trim()

export interface Registry {
  /** Variables by which npm installs our packages as they are here, and all others from where it usually does. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The npm registry of who installs our packages once they are published. */
export async function serveRegistry(packages: readonly PackedPackage[]): Promise<Registry> {
  const others = ask('registry').replace(/\/+$/, '')
  const server = createServer(({ url = '/' }, response) => {
    const wanted = decodeURIComponent(url.slice(1))
    const own = packages.find(({ name, tarball }) => wanted === name || wanted === path.basename(tarball))
    if (!own) {
      response.writeHead(307, { Location: `${others}${url}` }).end()
      return
    }
    // Another run has other packages of the same version.
    response.setHeader('Cache-Control', 'no-store')
    if (wanted === own.name) response.end(JSON.stringify(documentOf(own, `http://${host}`)))
    else response.end(readFileSync(own.tarball))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cache = ownCache()
  return {
    env: { npm_config_registry: `http://${host}/`, npm_config_cache: cache },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      rmSync(cache, { recursive: true })
    },
  }
}

function documentOf({ name, version, manifest, tarball, integrity }: PackedPackage, origin: string): object {
  const dist = { tarball: `${origin}/${path.basename(tarball)}`, integrity }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}

/** The downloads of npm's own cache. What `npx` installed there of our packages is of other runs. */
function ownCache(): string {
  const downloads = path.join(ask('cache'), '_cacache')
  const cache = mkdtempSync(path.join(tmpdir(), 'prismapi-npm-cache-'))
  mkdirSync(downloads, { recursive: true })
  symlinkSync(downloads, path.join(cache, '_cacache'))
  return cache
}
