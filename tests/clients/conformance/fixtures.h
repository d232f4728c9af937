// A registry with everything that the protocol knows: what the official conformance suite calls by name, and what our
// own tests of the server layer need. No part of the product.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "server/registry.h"

namespace pith::mcp::fixtures {

Registry MakeRegistry();

// --- for the files of this folder
Tool MakeTool(std::string name, std::string description,
              std::function<ToolResult(const nlohmann::json&, CallContext&)> call, std::string schema = "");
ToolResult Text(std::string text);
Content TextBlock(std::string text);
std::string OnePixelPng();
std::string ShortWav();

void AddContentTools(Registry& registry);  // texts, images, logging, progress, errors, header parameters
void AddAskingTools(Registry& registry);   // requests to the client, in revisions that have them
void AddInputTools(Registry& registry);    // multi round-trip requests, in the revision that has those
void AddResources(Registry& registry);
void AddPrompts(Registry& registry);

}  // namespace pith::mcp::fixtures
