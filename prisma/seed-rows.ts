import type { Prisma } from './generated/client/client.ts'

/** How many rows each table gets. */
export interface Sizes {
  readonly users: number
  readonly posts: number
  readonly tags: number
  readonly videos: number
  readonly comments: number
}

const base: Sizes = { users: 10, posts: 60, tags: 12, videos: 10, comments: 200 }

/** Everything grows with the posts, and nothing gets smaller than it is at 60. */
export function planSizes(posts: number = base.posts): Sizes {
  const scaled = (size: number) => Math.round(size * Math.max(1, posts / base.posts))
  const members = scaled(base.users - staff.length)
  return {
    users: staff.length + members,
    posts,
    tags: scaled(base.tags),
    videos: scaled(base.videos),
    comments: scaled(base.comments),
  }
}

const staff = ['ADMIN', 'EDITOR'] as const

/** The hash of `password-of-the-example`, with a salt that is anything but random: scrypt would take longer than the rest. */
const passwordHash =
  'scrypt$16384$8$1$cHJpc21hcGktZXhhbXBsZQ$5o_K5wHtzn9liKZK254GKtVB0KzWzThKY3fhKWbU1lL8Lgh4GD4tF1r6gCQZTmyFA28_9MwfxmQ1Mc--KQ10PQ'

const minute = 60_000

export function userRow(id: number): Prisma.UserCreateManyInput {
  const role = staff[id - 1] ?? 'MEMBER'
  const name = role === 'MEMBER' ? `member${id}` : role.toLowerCase()
  const createdAt = after('2024-01-01', id * minute)
  return { id, role, name: toTitle(name), email: `${name}@example.com`, passwordHash, createdAt, updatedAt: createdAt }
}

export function profileRow(id: number): Prisma.ProfileCreateManyInput {
  return {
    id,
    userId: id,
    bio: id % 4 === 0 ? null : `What user ${id} tells about themselves.`,
    website: id % 3 === 0 ? null : `https://example.com/users/${id}`,
  }
}

export function tagRow(id: number): Prisma.TagCreateManyInput {
  return { id, name: id === staffPick ? 'staff-pick' : `tag-${id}` }
}

export function postRow(id: number, sizes: Sizes): Prisma.PostCreateManyInput {
  const createdAt = after('2024-02-01', id * minute)
  return {
    id,
    title: `Post ${id}`,
    slug: `post-${id}`,
    content:
      `This is what post ${id} has to say. ${'It takes its time, and then says it once more. '.repeat(1 + (id % 4))}`.trim(),
    synopsis: id % 4 === 0 ? null : `Post ${id} in one sentence.`,
    publishedAt: id % 5 === 0 ? null : createdAt,
    createdAt,
    updatedAt: createdAt,
    authorId: memberFor(id, sizes),
  }
}

export function videoRow(number: number, sizes: Sizes): Prisma.VideoCreateManyInput {
  return {
    id: videoId(number),
    title: `Video ${number}`,
    url: `https://videos.example.com/${number}`,
    featured: number % 4 === 0,
    durationSeconds: number % 3 === 0 ? null : 60 + 15 * (number % 100),
    rating: number % 5 === 0 ? null : (number % 11) / 2,
    createdAt: after('2024-02-01', number * minute),
    ownerId: memberFor(number, sizes),
  }
}

/** Every fifth comment is about a video. Every third post has none, so that it can be deleted. */
export function commentRow(id: number, sizes: Sizes): Prisma.CommentCreateManyInput {
  const isAboutVideo = id % 5 === 0
  const turn = Math.floor(id / 5)
  return {
    id,
    content: `Comment ${id}.`,
    createdAt: after('2024-03-01', (id * minute) / 6),
    authorId: memberFor(id, sizes),
    postId: isAboutVideo ? null : discussedPost(id - turn, sizes),
    videoId: isAboutVideo ? videoId(1 + (turn % sizes.videos)) : null,
  }
}

/** One to three tags, and `staff-pick` for every tenth post. */
export function postTags(post: number, sizes: Sizes): number[] {
  return post % 10 === 0 ? [staffPick, ...someTags(post, sizes)] : someTags(post, sizes)
}

export const videoTags = (video: number, sizes: Sizes): number[] => someTags(video, sizes)

export const videoId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const staffPick = 1

const after = (day: string, milliseconds: number): Date => new Date(Date.parse(day) + milliseconds)

const toTitle = (name: string): string => name[0]?.toUpperCase() + name.slice(1).replace(/\d+$/, ' $&')

const memberFor = (number: number, { users }: Sizes): number => staff.length + 1 + (number % (users - staff.length))

function someTags(number: number, { tags }: Sizes): number[] {
  const count = 1 + (number % 3)
  return Array.from({ length: count }, (_, index) => 2 + ((number + 4 * index) % (tags - 1)))
}

function discussedPost(turn: number, { posts }: Sizes): number {
  const index = turn % (posts - Math.floor(posts / 3))
  return index + 1 + Math.floor(index / 2)
}
