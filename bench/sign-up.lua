-- Script for wrk: each request signs up a different person, even across runs.
local count, person = 0, "at" .. os.time() .. "n"

function request()
  count = count + 1
  local body = string.format('{"email":"%s%d@example.org","name":"","role":"","source":"Footer"}', person, count)
  local client = string.format("10.%d.%d.%d", math.floor(count / 65536) % 256, math.floor(count / 256) % 256, count % 256)
  return wrk.format("POST", "/api/newsletter", { ["Content-Type"] = "application/json", ["X-Client"] = client }, body)
end
