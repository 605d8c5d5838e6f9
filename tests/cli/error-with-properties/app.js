class ConfigError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "ConfigError";
    this.file = "app.json";
    this.code = "E_CONFIG";
  }
}
throw new ConfigError("cannot be used", { cause: new Error("no such key") });
