-- CreateTable
CREATE TABLE "Change" (
    "id" BIGSERIAL NOT NULL,
    "transaction" BIGINT NOT NULL DEFAULT 0,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "model" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "request" TEXT,
    "user" TEXT,

    CONSTRAINT "Change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Change_transaction_idx" ON "Change"("transaction");

-- CreateIndex
CREATE INDEX "Change_model_key_idx" ON "Change"("model", "key");


