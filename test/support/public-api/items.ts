import type { ApiItem, ExtractedEntry } from '../../../tools/api-report/model.ts'

/** Something that applications can name: an export, or a member of one. */
export interface PublicItem {
  /** `prismapi: Schema.pagination` */
  readonly place: string
  readonly name: string
  readonly kind: string
  /** Its documentation; that of the member that it overrides, where it has none of its own. */
  readonly comment: string
  readonly hasOwnComment: boolean
  /** Its declaration, without texts of comments. */
  readonly declaration: string
  /** Names that the declaration uses, and that its entry does not export though they are not marked as internal. */
  readonly unexported: readonly string[]
  /** The export that it is a member of; its own name for an export. */
  readonly owner: string
  /** The entry that exports it, and the file that declares it. */
  readonly specifier: string
  readonly file: string
}

/** Everything that an entry of the package exports, with the members of its classes and interfaces. */
export function publicItems(entry: ExtractedEntry): readonly PublicItem[] {
  const declared = declaredIn(entry)
  const toItem = (item: ApiItem, owner: ApiItem): PublicItem => {
    const path = item === owner ? nameOf(item) : `${nameOf(owner)}.${nameOf(item)}`
    return {
      place: `${entry.specifier}: ${path}`,
      name: nameOf(item),
      kind: item.kind,
      comment: item.docComment || (item === owner ? '' : inherited(item, basesOf(owner, declared), declared)),
      hasOwnComment: Boolean(item.docComment),
      declaration: textOf(item),
      // The model has nothing of what is internal.
      unexported: referencesOf(item).flatMap((reference) =>
        reference.includes('!~') ? (declared.get(reference)?.name ?? []) : [],
      ),
      owner: nameOf(owner),
      specifier: entry.specifier,
      file: `packages/${(owner.fileUrlPath as string).replace(/\.d\.ts$/, '.ts')}`,
    }
  }
  return [...declared.values()]
    .filter(isExported)
    .flatMap((item) => [toItem(item, item), ...(item.members ?? []).map((member) => toItem(member, item))])
}

type Declared = ReadonlyMap<string, ApiItem>

const declaredIn = ({ model }: ExtractedEntry): Declared =>
  new Map((model.members?.[0]?.members ?? []).map((item) => [item.canonicalReference as string, item]))

const isExported = ({ canonicalReference = '' }: ApiItem): boolean => !canonicalReference.includes('!~')

const nameOf = ({ name, kind }: ApiItem): string => name ?? kind.toLowerCase()

const textOf = ({ excerptTokens = [] }: ApiItem): string => excerptTokens.map(({ text }) => text).join('')

const referencesOf = ({ excerptTokens = [] }: ApiItem): readonly string[] =>
  excerptTokens.flatMap(({ canonicalReference = [] }) => canonicalReference)

/** What a class or an interface extends and implements: only these stand in its own declaration. */
const basesOf = (item: ApiItem, declared: Declared): readonly ApiItem[] =>
  item.kind === 'Class' || item.kind === 'Interface'
    ? referencesOf(item).flatMap((reference) => declared.get(reference) ?? [])
    : []

function inherited(member: ApiItem, bases: readonly ApiItem[], declared: Declared): string {
  for (const base of bases) {
    const overridden = base.members?.find(({ name }) => name === member.name)
    const comment = overridden?.docComment || inherited(member, basesOf(base, declared), declared)
    if (comment) return comment
  }
  return ''
}
