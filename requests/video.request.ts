import { boolean, clientId, integer, number, ResourceRequest, string, toMany, toOne } from 'prismapi'

const everybody = {
  id: clientId(),
  title: string().required(),
  url: string().required().test('url', isWebAddress),
  featured: boolean(),
  durationSeconds: integer().min(0).nullable(),
  rating: number().min(0).max(5).nullable(),
  tags: toMany(),
}
const administrators = { ...everybody, owner: toOne().nullable() }

export default class VideoRequest extends ResourceRequest<'Video'> {
  override rules() {
    return this.user?.role === 'ADMIN' ? this.checked(administrators) : this.checked(everybody)
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
