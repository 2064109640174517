import { type Resources, Schema } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import { openServer } from './open-server.ts'

const { Video } = resources.models as { readonly Video: Resources['models'][string] }
const { durationSeconds } = Video.columns as { readonly durationSeconds: (typeof Video.columns)[string] }

/** The example's resources, as if `/// @version` stood above the length of videos, which counts from then on. */
const versioned: Resources = {
  ...resources,
  models: {
    ...resources.models,
    Video: {
      ...Video,
      columns: { ...Video.columns, durationSeconds: { ...durationSeconds, isNullable: false, isVersion: true } },
    },
  },
}

class VideoSchema extends Schema<'Video'> {
  override fields() {
    return [this.id().clientGenerated(), this.attribute('durationSeconds').hidden()]
  }
}

class Careful extends Schema<'Video'> {
  override requiresIfMatch = true
}

class CarefulPost extends Schema<'Post'> {
  override requiresIfMatch = true
  override actions() {
    return [this.action('touch', { handle: () => null })]
  }
}

const others = { Post: Schema<'Post'>, User: Schema<'User'>, Tag: Schema<'Tag'>, Comment: Schema<'Comment'> }

/** Two servers that ask nobody for permission: `/api/open`, and `/api/careful`, where writes have to name a version. */
export const versionedParts = () => ({
  resources: versioned,
  policies: new Map(),
  servers: [
    openServer('open', { ...others, Video: VideoSchema }),
    openServer('careful', { ...others, Post: CarefulPost, Video: Careful }),
  ],
})
