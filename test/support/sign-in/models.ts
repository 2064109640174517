/** Users, posts, API keys and sessions. */
export const newsroomModels = `model User {
  id           Int       @id @default(autoincrement())
  name         String
  email        String    @unique
  role         String    @default("MEMBER")
  /// @hidden
  passwordHash String?
  posts        Post[]
  keys         ApiKey[]
  sessions     Session[]
}

model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId Int
}

/// @hidden
model ApiKey {
  id         Int       @id @default(autoincrement())
  name       String
  prefix     String
  digest     String    @unique
  scopes     String
  createdAt  DateTime  @default(now())
  expiresAt  DateTime?
  lastUsedAt DateTime?
  revokedAt  DateTime?
  user       User      @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId     Int

  @@index([userId])
}

/// @hidden
model Session {
  id        Int      @id @default(autoincrement())
  digest    String   @unique
  createdAt DateTime @default(now())
  expiresAt DateTime
  user      User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId    Int

  @@index([userId])
}
`

/** The columns of a user that policies get. */
export const select = { id: true, name: true, role: true } as const
