/** What the routes of one front work with. */

import type { WriterLink } from "../ipc/messages.js";
import type { WireNames } from "../wire/index.js";
import type { CommitWaits } from "./commit-waits.js";
import type { CrossOrigin } from "./cors.js";
import type { GasPriceCache } from "./gas-price-cache.js";
import type { HeaderBlock } from "./header-block.js";
import type { LedgerHeaders } from "./ledger-headers.js";
import type { TurnSnapshot } from "./snapshot.js";
import type { Submission } from "./submission.js";
import type { Switches } from "./switches.js";
import type { Work } from "./work.js";

export interface FrontServices {
  readonly wire: WireNames;
  readonly snapshot: TurnSnapshot;
  readonly work: Work;
  readonly writer: WriterLink;
  readonly submission: Submission;
  readonly commitWaits: CommitWaits;
  readonly gasPrices: GasPriceCache;
  readonly ledgerHeaders: LedgerHeaders;
  readonly crossOrigin: CrossOrigin;
  /** Headers of answers that no ledger information stands behind. */
  readonly plainHeaders: HeaderBlock;
  /** Answers that are still being computed. */
  readonly underWay: Set<Promise<void>>;
  /** Told of every failure that is the node's own. */
  readonly onFault: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Version of this program. */
  readonly release: string;
  readonly switches: Switches;
  /** Versions kept readable. */
  readonly historyWindow: number;
}
