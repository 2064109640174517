/** What the generator writes into `resources.ts`: the Prisma schema as frozen data. */
export interface Resources {
  /** What it was generated from; left out where it was not read from a file. */
  readonly origin?: SchemaOrigin
  /** The database that it was generated for. */
  readonly provider: Provider
  /** Prisma looks after relations (`relationMode = "prisma"`); left out where the database does. */
  readonly emulatesRelations?: true
  /** Every model, by its name. */
  readonly models: Readonly<Record<string, ModelMeta>>
  /** Every enum, by its name. */
  readonly enums: Readonly<Record<string, EnumMeta>>
}

/** The Prisma schema that resources were generated from. */
export interface SchemaOrigin {
  /** The URL of the generated file. */
  readonly file: string
  /** Where the schema lies, as seen from the folder of that file: a file, or a folder. */
  readonly schema: string
  /** A digest of what it said. */
  readonly digest: string
}

/** The kind of a database, as the `datasource` of the Prisma schema names it. */
export type Provider = 'sqlite' | 'postgresql' | 'cockroachdb' | 'mysql' | 'sqlserver'

/** An enum of the Prisma schema. */
export interface EnumMeta {
  /** Its name in the Prisma schema. */
  readonly name: string
  /** Prisma's names, in the order of the schema. */
  readonly values: readonly string[]
  /** Only the values whose name in the database is another one (`@map`). */
  readonly stored: Readonly<Record<string, string>>
}

/** A model or a view of the Prisma schema. */
export interface ModelMeta {
  /** Its name in the Prisma schema. */
  readonly name: string
  /** Annotated with `@hidden`: no server serves it. Left out otherwise. */
  readonly isHidden?: true
  /** The name of the table. */
  readonly table: string
  /** The database schema (`@@schema`), or null. */
  readonly dbSchema: string | null
  /** Its `///` comment without annotations, or null. */
  readonly documentation: string | null
  /** What Prisma can do with it: views only read; a required `Unsupported` column takes `create` away. */
  readonly operations: readonly ModelOperation[]
  /**
   * The fields of the primary key (`@id`, `@@id`), or else of the
   * first unique without nullable fields; empty when there is none.
   */
  readonly key: readonly string[]
  /** Prisma's name of that key in a `where` when it has several fields (`authorId_postId`), else null. */
  readonly keyName: string | null
  /** Every unique: single fields and `@@unique`, the primary key among them. */
  readonly uniques: readonly (readonly string[])[]
  /** The fields of each unique by the name of its constraint, which is what some databases say when it is broken. */
  readonly constraints: Readonly<Record<string, readonly string[]>>
  /** Every index that can serve an order, as lists of fields; uniques and the primary key among them. */
  readonly indexes: readonly (readonly string[])[]
  /** By name, in the order of the schema. */
  readonly columns: Readonly<Record<string, ColumnMeta>>
  /** By name, in the order of the schema. */
  readonly relations: Readonly<Record<string, RelationMeta>>
}

/** What can be done with the rows of a model. */
export type ModelOperation = 'read' | 'create' | 'update' | 'delete'

/** Prisma's scalar types. */
export type ScalarType = 'String' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'Boolean' | 'DateTime' | 'Json' | 'Bytes'

/** `///` annotations of every field: `@hidden`, `@readOnly`, `@writeOnly`. */
export interface Annotations {
  /** Neither read nor written by clients. */
  readonly hidden: boolean
  /** Ignored in documents that clients send. */
  readonly readOnly: boolean
  /** Accepted in documents, never shown. */
  readonly writeOnly: boolean
}

/** A column of a model. */
export interface ColumnMeta extends Annotations {
  /** Prisma's name of it. */
  readonly name: string
  /** The name in the database. */
  readonly column: string
  /** A scalar, or the name of an enum when `isEnum`. */
  readonly type: ScalarType | (string & {})
  /** Its type is an enum of the Prisma schema. */
  readonly isEnum: boolean
  /** `String[]` */
  readonly isList: boolean
  /** `String?` */
  readonly isNullable: boolean
  /** Part of a foreign key: its relation carries it, it is not an attribute. */
  readonly isForeignKey: boolean
  /** `@updatedAt`: the instant of the last change. */
  readonly isUpdatedAt: boolean
  /** `@version`: counts the changes of the row; left out where it does not. */
  readonly isVersion?: boolean
  /** `@untrusted`: strangers write it, and agents are told so; left out otherwise. */
  readonly isUntrusted?: true
  /** `@search`: clients search it by its words; left out where they do not. */
  readonly isSearched?: boolean
  /**
   * Of a `DateTime`, `@date` or `@time`: only its day, or only its
   * time of day, means something; left out where both do.
   */
  readonly only?: 'date' | 'time'
  /**
   * How a value comes about when none is given: a function's name (`now`, `uuid`,
   * `autoincrement`, `dbgenerated` …), `value` for a literal, null for none.
   */
  readonly default: string | null
  /**
   * The literal of the default, or the argument of its function
   * (`uuid(7)`); left out where there is none, and for lists.
   */
  readonly defaultValue?: string | number | boolean
  /** The native type and its arguments, `['VarChar', '191']`. */
  readonly native: readonly string[] | null
  /** Its `///` comment without annotations, or null. */
  readonly documentation: string | null
}

/** A relation of a model. */
export interface RelationMeta extends Annotations {
  /** Prisma's name of it. */
  readonly name: string
  /** The model at the other end. */
  readonly model: string
  /** To many. */
  readonly isList: boolean
  /** To-one only: may it be null. */
  readonly isNullable: boolean
  /** What both ends have in common: `@relation("…")`, or Prisma's own name. */
  readonly relationName: string
  /** The columns on this side, when this side holds the foreign key. */
  readonly foreignKey: { readonly columns: readonly string[]; readonly references: readonly string[] } | null
  /** The relation at the other end, or null where it is `@ignore`d. */
  readonly inverse: string | null
  /** Implicit many-to-many: the join table, with the column (`A` or `B`) that holds this side. */
  readonly join: { readonly table: string; readonly own: 'A' | 'B'; readonly other: 'A' | 'B' } | null
  /** `onDelete` as written, or Prisma's default for it. */
  readonly onDelete: string | null
  /** Its `///` comment without annotations, or null. */
  readonly documentation: string | null
}

/**
 * What is searched of a model by its words, and by which index of the database.
 *
 * @internal
 */
export interface SearchMeta {
  /** The columns of the index, the weightiest first. */
  readonly columns: readonly ColumnMeta[]
  /** How the words of its texts are reduced: `english`. */
  readonly language: string
  /** The name of the index, and the table that it is of. */
  readonly index: string
  readonly table: string
  readonly dbSchema: string | null
  /** The columns that tell its rows apart. */
  readonly key: readonly ColumnMeta[]
}

/** What a `///` comment of the Prisma schema may say behind an `@`. */
export const annotationNames = [
  ...(['hidden', 'readOnly', 'writeOnly', 'version', 'date', 'time', 'untrusted', 'search'] as const),
] as const

/**
 * What becomes of rows that refer to one that is deleted: they go with it, they lose it, or they keep it from going.
 */
export type Fate = 'removed' | 'cleared' | 'kept'

/**
 * By the foreign key's `onDelete`. What cannot be null is not emptied:
 * PostgreSQL takes such a schema, and refuses the delete.
 */
export function fateOf({ columns }: ModelMeta, { onDelete, foreignKey }: RelationMeta): Fate {
  if (onDelete === 'Cascade') return 'removed'
  if (onDelete === 'SetDefault') return 'cleared'
  const canBeEmptied = foreignKey?.columns.every((column) => columns[column]?.isNullable) ?? false
  return onDelete === 'SetNull' && canBeEmptied ? 'cleared' : 'kept'
}
