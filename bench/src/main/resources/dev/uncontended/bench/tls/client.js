// Opens TLS connections with one request each, with one session cache: client.js PORT CONNECTIONS PARALLEL.
// The first connection has ended before the others begin.
const https = require("https");

const [port, connections, parallel] = process.argv.slice(2).map(Number);
const agent = new https.Agent({ keepAlive: false, rejectUnauthorized: false, minVersion: "TLSv1.3" });

function request() {
  return new Promise((resolve, reject) => {
    https.get({ agent, host: "127.0.0.1", port, servername: "bench.example", headers: { host: "bench.example" } }, (response) => {
      response.resume();
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`))));
    }).on("error", reject);
  });
}

async function main() {
  await request();
  let left = connections - 1;
  const worker = async () => {
    while (left-- > 0) {
      await request();
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

main();
