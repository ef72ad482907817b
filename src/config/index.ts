/** Flags, environment and file to one frozen NodeConfig. */

export { type DevelopmentAccount, developmentAccount, minterAccount } from "./development-keys.js";
export { helpText, optionTable } from "./help.js";
export {
  type CommandLine,
  type ConfigSources,
  environmentName,
  type NodeConfig,
  readCommandLine,
} from "./node-config.js";
export { OPTIONS } from "./options.js";
