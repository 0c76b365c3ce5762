// uWebSockets.js reads this once, when its binary is loaded: import this file before it. Its 4 KiB would refuse a GET whose
// query names some hundred message ids; 64 KiB hold 5000 of them. The buffer exists only while a head is incomplete.
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '65536'
