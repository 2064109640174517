import Sqlite from 'better-sqlite3'

/** Videos whose titles are as long as a body may be: the example sets no end to what else writes them. */
const longTitles = 60
const titleCharacters = 1_000_000

/**
 * Makes the rows of a seeded file as uneven as rows can be: one author has half of all posts and comments, one post and one tag have
 * half of what leads to them, and one owner has videos with titles of a megabyte.
 */
export function skew(file: string): void {
  const database = new Sqlite(file, { fileMustExist: true })
  const half = (table: string) => `rowid <= (select max(rowid) / 2 from "${table}")`
  database.exec(`
    begin;
    update "Post" set "authorId" = 3 where ${half('Post')};
    update "Comment" set "authorId" = 3 where ${half('Comment')};
    update "Comment" set "postId" = 3 where "postId" is not null and ${half('Comment')};
    insert or ignore into "_PostToTag" ("A", "B") select id, 3 from "Post" where ${half('Post')};
    update "Video" set "ownerId" = 3, title = printf('%.*c', ${titleCharacters}, 'a') || rowid
      where rowid in (select rowid from "Video" limit ${longTitles});
    commit;
  `)
  database.close()
}
