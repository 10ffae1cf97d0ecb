-- wrk's script: each post is of another person. Its arguments: what addresses begin with, and the decoy.
local count, person, decoy = 0, "", ""

function init(args)
  person, decoy = args[1], args[2]
end

function request()
  count = count + 1
  local body = string.format('{"email":"%s%d@example.org","name":"","role":"","source":"Footer","website":"%s"}', person, count, decoy)
  local client = string.format("10.%d.%d.%d", math.floor(count / 65536) % 256, math.floor(count / 256) % 256, count % 256)
  return wrk.format("POST", "/api/newsletter", { ["Content-Type"] = "application/json", ["X-Client"] = client }, body)
end
