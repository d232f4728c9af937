# Install rules, CMake package, CPack.
