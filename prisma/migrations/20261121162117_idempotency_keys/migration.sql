-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "fingerprint" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "lockedUntil" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "status" INTEGER,
    "headers" TEXT,
    "body" TEXT
);

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");
