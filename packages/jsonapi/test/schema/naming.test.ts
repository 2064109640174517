import { describe, expect, test } from 'vitest'
import {
  dashed,
  fieldName,
  formerType,
  inferType,
  inferTypes,
  isFieldName,
  modelsByFile,
  singularFor,
  singularOf,
} from '../../src/schema/naming.ts'

describe('the type of a model', () => {
  test.each([
    ['Post', 'posts'],
    ['BlogPost', 'blog-posts'],
    ['Category', 'categories'],
    ['Person', 'people'],
    ['UserStatus', 'user-statuses'],
    ['blog_post', 'blog-posts'],
    ['News', 'news'],
    ['Blog_Post', 'blog-posts'],
    ['OAuth2Token', 'oauth2-tokens'],
    ['OAuthClient', 'oauth-clients'],
    ['Model3D', 'model-3ds'],
    ['Model3DFile', 'model-3d-files'],
    ['CommentV2', 'comments-v2'],
    ['ImageResourceNew', 'image-resources-new'],
    ['audit_log_2019', 'audit-logs-2019'],
    ['S3Bucket', 's3-buckets'],
    ['V2', 'v2s'],
    ['URL', 'urls'],
    ['HTTPLog', 'http-logs'],
    ['T_KEY_VALUE', 't-key-values'],
    ['Premium', 'premiums'],
    ['Stadium', 'stadiums'],
    ['Materia', 'materias'],
    ['Categoria', 'categorias'],
    ['SurveyQuota', 'survey-quotas'],
    ['Pasta', 'pastas'],
    ['Medium', 'media'],
    ['Monarch', 'monarchs'],
    ['Church', 'churches'],
    ['Buzz', 'buzzes'],
    ['Quiz', 'quizzes'],
    ['GitHub', 'githubs'],
    ['GitHubRepo', 'github-repos'],
    ['UserGitHubToken', 'user-github-tokens'],
    ['IoTDevice', 'iot-devices'],
    ['iOSDevice', 'ios-devices'],
    ['UserIPhone', 'user-i-phones'],
    ['MultiPad', 'multi-pads'],
    ['SaaS', 'saas'],
    ['SaaSPlan', 'saas-plans'],
    ['APIs', 'apis'],
    ['URLs', 'urls'],
    ['JWTs', 'jwts'],
    ['UserIDs', 'user-ids'],
    ['DNSServer', 'dns-servers'],
    ['APIsList', 'apis-lists'],
  ])('%s is %s', (model, type) => {
    expect(inferType(model)).toBe(type)
  })

  test('keeps its singular where another model has the plural, and is counted where that is taken, too', () => {
    expect([...inferTypes(['Post', 'Posts', 'posts'])]).toEqual([
      ['Post', 'posts'],
      ['Posts', 'posts-2'],
      ['posts', 'posts-3'],
    ])
    expect([...inferTypes(['Person', 'People'])]).toEqual([
      ['Person', 'people'],
      ['People', 'people-2'],
    ])
    expect([...inferTypes(['Datum', 'Data'])]).toEqual([
      ['Datum', 'data'],
      ['Data', 'data-2'],
    ])
  })

  test('leaves the names alone that the server needs', () => {
    expect([...inferTypes(['Operation', 'operations'], ['operations'])]).toEqual([
      ['Operation', 'operation'],
      ['operations', 'operations-2'],
    ])
  })

  test('was another one up to version 0.1 for some, whose files are still found', () => {
    expect(['OAuthClient', 'Model3DFile', 'CommentV2', 'BlogPost'].map(formerType)).toEqual([
      'o-auth-clients',
      'model3-d-files',
      'comment-v2s',
      'blog-posts',
    ])
    expect([...modelsByFile(['OAuthClient'])]).toEqual([
      ['o-auth-client', 'OAuthClient'],
      ['oauth-client', 'OAuthClient'],
    ])
  })

  test('names files without its plural', () => {
    expect(['BlogPost', 'Tag', 'blog__post'].map(dashed)).toEqual(['blog-post', 'tag', 'blog-post'])
  })
})

describe('one of a type', () => {
  test.each([
    ['Post', 'posts', 'post'],
    ['Users', 'users', 'user'],
    ['Cookie', 'cookies', 'cookie'],
    ['SessionCookie', 'session-cookies', 'session cookie'],
    ['Lens', 'lenses', 'lens'],
    ['Lenses', 'lenses', 'lens'],
    ['Gas', 'gases', 'gas'],
    ['Radius', 'radii', 'radius'],
    ['DeliveryRadius', 'delivery-radii', 'delivery radius'],
    ['Status', 'statuses', 'status'],
    ['Series', 'series', 'series'],
    ['News', 'news', 'news'],
    ['Bus', 'buses', 'bus'],
    ['Census', 'censuses', 'census'],
    ['Bias', 'biases', 'bias'],
    ['Analysis', 'analyses', 'analysis'],
    ['Axis', 'axes', 'axis'],
    ['Base', 'bases', 'base'],
    ['Hero', 'heroes', 'hero'],
    ['Datum', 'data', 'datum'],
    ['EventData', 'event-data', 'event data'],
    ['Media', 'media', 'media'],
    ['SMS', 'sms', 'sms'],
    ['Menus', 'menus', 'menu'],
    ['SurveyQuota', 'survey-quotas', 'survey quota'],
    ['Premium', 'premiums', 'premium'],
    ['Materia', 'materias', 'materia'],
    ['Buzz', 'buzzes', 'buzz'],
    ['Fez', 'fezzes', 'fez'],
    ['Monarch', 'monarchs', 'monarch'],
    ['SaaS', 'saas', 'saas'],
    ['APIs', 'apis', 'api'],
    ['GitHubRepo', 'github-repos', 'github repo'],
  ])('of %s, %s, is called %s', (model, type, one) => {
    expect([inferType(model), singularFor(type, model)]).toEqual([type, one])
  })

  test.each([
    ['cookies', 'cookie'],
    ['favouriteCookies', 'favourite cookie'],
    ['lenses', 'lens'],
    ['gases', 'gas'],
    ['radii', 'radius'],
    ['statuses', 'status'],
    ['series', 'series'],
    ['news', 'news'],
    ['movies', 'movie'],
    ['shoes', 'shoe'],
    ['categories', 'category'],
    ['quota', 'quota'],
    ['quotas', 'quota'],
    ['premiums', 'premium'],
    ['buzzes', 'buzz'],
    ['quizzes', 'quiz'],
    ['prizes', 'prize'],
    ['mazes', 'maze'],
    ['criteria', 'criterion'],
  ])('%s is %s where no model says it', (several, one) => {
    expect(singularOf(several)).toBe(one)
  })

  test.each([
    ['cookies', 'Crumb', 'cookie'],
    ['lens', 'Lens', 'lens'],
    ['gas', 'Gas', 'gas'],
    ['status', 'Status', 'status'],
  ])('%s, which an application calls its %s, is %s', (type, model, one) => {
    expect(singularFor(type, model)).toBe(one)
  })
})

describe('the name of a field', () => {
  const free = () => false
  test.each([
    ['title', 'title'],
    ['snake_case', 'snake_case'],
    ['type', 'noteType'],
    ['id', 'noteId'],
    ['links', 'noteLinks'],
    ['relationships', 'noteRelationships'],
    ['class_', 'class'],
    ['type_', 'noteType'],
  ])('%s of a Note is %s', (field, name) => {
    expect(fieldName('Note', field, free)).toBe(name)
  })

  test('gives way to a field that is called so already', () => {
    expect(fieldName('Note', 'type', (name) => name === 'noteType')).toBe('noteType2')
    expect(fieldName('Note', 'class_', (name) => name === 'class' || name === 'class2')).toBe('class22')
  })

  test.each(['a', 'a1', 'a-b', 'a_b', 'camelCase', '1st'])('%s can be one', (name) => {
    expect(isFieldName(name)).toBe(true)
  })

  test.each(['', '-a', 'a-', '_a', 'a b', 'a.b', 'a,b', 'a[b]', 'a/b', 'ä', 'type', 'id', 'links', 'relationships'])(
    '"%s" cannot',
    (name) => {
      expect(isFieldName(name)).toBe(false)
    },
  )
})
