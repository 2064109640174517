import { print } from './rpc.mjs'
import { pushWithViews } from './views.mjs'

/** The requests of the CLI: most go to the engine as they are, some need help. */
export function toMethods({ database, engine }) {
  return {
    async call(method, params) {
      const db = await database()
      const own = { ...common(db, engine), ...db.methods(engine) }[method]
      if (own) return own(params)
      const running = await engine()
      if (!running.has(method)) throw new Error(`This schema engine does not know the method "${method}".`)
      return running.call(method, params)
    },
  }
}

function common(db, engine) {
  const call = async (method, params) => (await engine()).call(method, params)
  return {
    getDatabaseVersion: () => call('version', null),
    getDatabaseDescription: () => '',
    createDatabase: async () => ({ databaseName: await db.create() }),
    async ensureConnectionValidity(params) {
      await db.check()
      return call('ensureConnectionValidity', params)
    },
    evaluateDataLoss: (params) => callWithMigrations(call, 'evaluateDataLoss', params),
    createMigration: (params) => callWithMigrations(call, 'createMigration', params),
    schemaPush: (params) => pushWithViews(db, (push) => call('schemaPush', push), params),
    async diff(params) {
      const { stdout, ...result } = await call('diff', params)
      if (stdout != null) await print(stdout)
      return { ...result, stdout: null }
    },
  }
}

// These methods start from the schema that the migrations add up to. When the engine's cache lacks it they open a shadow
// database of their own, which this build cannot. A diagnosis opens one through the adapter, and fills the cache.
async function callWithMigrations(call, method, params) {
  const { migrationsList, filters } = params
  if (migrationsList.migrationDirectories.length > 0) await call('devDiagnostic', { migrationsList, filters })
  return call(method, params)
}
