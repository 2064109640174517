-- CreateTable
CREATE TABLE "Change" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "transaction" BIGINT NOT NULL DEFAULT 0,
    "at" DATETIME NOT NULL,
    "model" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "request" TEXT,
    "user" TEXT
);

-- CreateIndex
CREATE INDEX "Change_transaction_idx" ON "Change"("transaction");

-- CreateIndex
CREATE INDEX "Change_model_key_idx" ON "Change"("model", "key");


