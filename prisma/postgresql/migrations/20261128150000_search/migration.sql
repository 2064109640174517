-- prismapi search hhOcX3eF0Tw0PEDl-Lxfz-

DROP INDEX IF EXISTS "Post_search";

CREATE INDEX "Post_search" ON "Post" USING GIN ((to_tsvector('english'::regconfig, coalesce("title", '')) || to_tsvector('english'::regconfig, coalesce("synopsis", '')) || to_tsvector('english'::regconfig, coalesce("content", ''))));

DROP INDEX IF EXISTS "Post_search_1";

CREATE INDEX "Post_search_1" ON "Post" USING GIN ((to_tsvector('english'::regconfig, coalesce("title", ''))));

DROP INDEX IF EXISTS "Post_search_2";

CREATE INDEX "Post_search_2" ON "Post" USING GIN ((to_tsvector('english'::regconfig, coalesce("synopsis", ''))));

DROP INDEX IF EXISTS "Post_search_3";

CREATE INDEX "Post_search_3" ON "Post" USING GIN ((to_tsvector('english'::regconfig, coalesce("content", ''))));

DROP INDEX IF EXISTS "Video_search";

CREATE INDEX "Video_search" ON "Video" USING GIN ((to_tsvector('english'::regconfig, coalesce("title", ''))));
