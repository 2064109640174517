import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { filtersColumns } from '../support/filters/columns.ts'

filtersColumns(
  {
    provider: 'sqlite',
    open: async (folder) => ({
      adapter: new PrismaBetterSqlite3({ url: `file:${join(folder, 'columns.db')}` }),
      close: async () => {},
    }),
    bytes: 'BLOB',
  },
  [
    ['filter[meta.name][startsWith]=AN', [1, 2]],
    ['filter[name][contains]=BC', [2, 6]],
  ],
  [
    'filter[meta.size.width][gte]=3',
    'filter[meta.tags][has]=red',
    'filter[meta.name][contains]=a%b',
    'filter[name][icontains]=a',
  ],
)
