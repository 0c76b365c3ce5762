// Bytes. uWebSockets.js reads this once, when its binary is loaded: import this file before it. The default of 4 KiB would reject a GET
// whose query has some hundred message ids; 64 KiB hold 5000. The buffer exists only while request headers are incomplete.
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '65536'
