import { ResourceRequest, string } from 'prismapi'

export default class ProfileRequest extends ResourceRequest<'Profile'> {
  override rules() {
    return { bio: string().nullable(), website: string().nullable() }
  }
}
