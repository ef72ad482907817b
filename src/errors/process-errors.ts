/**
 * Every way a process of the node can refuse to start or have to stop, with its exit code.
 *
 * 2 means the operator can fix it by reading the sentence; 3 that the data needs attention; 1 that
 * the node is at fault. Shell scripts may rely on these.
 */

/** Code → exit code of the process that meets it. */
export const PROCESS_ERRORS = {
  /** A flag, variable or file entry that is unknown or has a bad value. */
  config_invalid: { exit: 2 },
  /** A file named on the command line that cannot be read, or is not what it should be. */
  file_invalid: { exit: 2 },
  /** A door of the command line that leads nowhere yet. */
  not_implemented_here: { exit: 2 },
  port_in_use: { exit: 2 },
  /** Host that cannot be listened on, or a port that needs rights. */
  listen_failed: { exit: 2 },
  data_folder_unusable: { exit: 2 },
  /** The folder holds another chain. */
  data_folder_other_chain: { exit: 2 },
  /** A live process holds the folder. */
  data_folder_in_use: { exit: 2 },
  /** This platform lacks a binary the chosen transport needs. */
  transport_unavailable: { exit: 2 },

  /** Bytes in the store that its own checks refuse. */
  store_corrupt: { exit: 3 },
  /** The store was written by a format this build does not read. */
  store_format: { exit: 3 },
  /** A write failed: full disk, device error. The node stops producing blocks. */
  store_failed: { exit: 3 },
  /** A newer writer took the store over. */
  writer_fenced: { exit: 3 },

  /** The native addon is missing, or not of this version. */
  core_unavailable: { exit: 1 },
  /** A child kept failing. */
  child_failed: { exit: 1 },
  /** A broken invariant. */
  bug: { exit: 1 },
} as const;

/** Code of a failure that belongs to a process, not a request. */
export type ProcessErrorCode = keyof typeof PROCESS_ERRORS;
